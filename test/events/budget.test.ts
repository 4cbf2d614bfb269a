/** What events cost, in write units as the table bills them. DynamoDB Local counts these writes as AWS does. */
import { expect, test } from 'vitest';
import { eventKey } from '../../shared/store/keys.ts';
import { complete, mustClaim, renew } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';
import { makeDesk, made, type Desk } from '../cards/support/cards.ts';
import { follow } from './support/follow.ts';

/** performance.md: a whole job with its three events may cost 36, of which 31.4 are its own writes. */
const PER_JOB = 36 - 31.4;
const JOBS = 20;

/** The reference card, through its life with four heartbeats. */
async function work(world: World, desk: Desk): Promise<string> {
  const worker = world.agent('drafter-7');
  const card = await made(world, desk, {
    title: 'A reference card whose title has some sixty bytes of text..',
    body: 'x'.repeat(4_096),
    properties: { source: 'seed', text: 'x'.repeat(70) },
    labels: ['bench', 'reference'],
  });
  const held = await mustClaim(world.main, worker, desk.queue);
  for (let beat = 0; beat < 4; beat += 1) {
    world.clock.advance(20_000);
    await renew(world.main, worker, held);
  }
  const summary = 'Wrote the notes for the release, in three parts, and asked for a review of the second.';
  await complete(world.main, worker, held, { output: { text: 'y'.repeat(1_000) }, summary });
  return card.id;
}

test('a job’s three events cost at most 4.6 write units in log and feed', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  // The first page of a board also notes that page numbers are given out.
  await work(world, desk);
  await follower.pump();
  for (let at = 0; at < JOBS; at += 1) await work(world, desk);
  world.meter.reset();
  await follower.pump();

  expect(follower.sent).toHaveLength(3 * (JOBS + 1));
  const perJob = world.meter.writeUnits / JOBS;
  console.log(`events of a job: ${perJob.toFixed(2)} write units, budget ${PER_JOB.toFixed(1)}`);
  expect(perJob).toBeLessThanOrEqual(PER_JOB);
});

test('each event of the reference card fits one write unit', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  const card = await work(world, desk);
  await follower.pump();

  for (const sequence of [1, 2, 3]) {
    const row = await world.main.store.get(eventKey(card, sequence));
    const { event } = row as { event: Uint8Array };
    const text = follower.sent[sequence - 1]?.text ?? '';
    console.log(`event ${sequence}: ${Buffer.byteLength(text)} bytes as JSON, ${event.length} in the log`);
    expect(event.length).toBeLessThan(850);
  }
});
