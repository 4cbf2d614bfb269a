/** The part of cli-progress that the demo uses; the package carries no types. */
declare module 'cli-progress' {
  export class SingleBar {
    constructor(options: {
      readonly format: string;
      readonly hideCursor?: boolean;
      readonly noTTYOutput?: boolean;
      /** Milliseconds between two lines where there is no terminal. */
      readonly notTTYSchedule?: number;
    });
    start(total: number, value: number, payload: Readonly<Record<string, string | number>>): void;
    update(value: number, payload: Readonly<Record<string, string | number>>): void;
    stop(): void;
  }
}
