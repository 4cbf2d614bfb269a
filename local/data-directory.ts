import { accessSync, constants, mkdirSync } from 'node:fs';
import { UserError } from './user-error.ts';

/** Makes the directory where everything is kept. @throws UserError where nothing can be written. */
export function makeDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.W_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`--data: ${directory} cannot be written to (${why}). Name another directory.`, 2);
  }
}
