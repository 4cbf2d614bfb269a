/** The loop that the README writes out in Python, run as it stands there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../local/wait-until.ts';
import { createCliWorld, type CliWorld } from '../cli/support/cli-world.ts';
import { readmeBlock } from '../support/readme-block.ts';

const SOON_MS = 30_000;
const LONGEST_LOOP_LINES = 20;

let world: CliWorld;

beforeAll(async () => {
  world = await createCliWorld();
});

afterAll(async () => world.close());

test('twenty lines of Python take cards and hand in what they made', async () => {
  const code = await readmeBlock('python', 'urllib.request');
  expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(
    LONGEST_LOOP_LINES,
  );
  expect(code.match(/^import .*/gm)).toEqual(['import json, os, threading, time, urllib.request']);

  const { columns } = await world.json('board create --name Newsroom --slug newsroom');
  const ready = (columns as { id: string; name: string }[]).find(({ name }) => name === 'Ready')?.id ?? '';
  for (const title of ['one', 'two']) {
    await world.json(`card create --board newsroom --column Ready --title ${title}`);
  }
  const file = join(world.folder, 'worker.py');
  await writeFile(file, code);
  const env = { ...process.env, LB: world.mcp.origin, TOKEN: world.mcp.admin, READY: ready };
  const worker = spawn('python3', [file], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  onTestFinished(async () => {
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  });

  const done = async () => world.json('card list --board newsroom --state done');
  await waitUntil('both cards to be done', SOON_MS, async () => {
    const { items } = await done();
    return (items as unknown[]).length === 2;
  });
  const { items } = await done();
  const cards = await Promise.all(
    (items as { id: string }[]).map(async ({ id }) => world.json(`card show ${id}`)),
  );
  expect(cards.map(({ output }) => output)).toEqual(
    expect.arrayContaining([{ shouted: 'ONE' }, { shouted: 'TWO' }]),
  );
  expect(worker.exitCode).toBeNull();
});
