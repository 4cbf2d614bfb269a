#!/usr/bin/env node
/** The command `leaseboard`. */
import { processIo } from './io.ts';
import { run } from './run.ts';

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error) => process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await run(process.argv.slice(2), processIo());
