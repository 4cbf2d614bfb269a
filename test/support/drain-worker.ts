/** Workers as a process of their own, which can be killed: they claim from a column and complete, for ever. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LeaseboardClient } from '../../client/index.ts';

const WORKERS = 4;
const PAUSE_MS = 50;
/** Enough tries to outlast a start of the stack. */
const PATIENT = { retries: 100 };

const [url = '', token = '', board = '', column = ''] = process.argv.slice(2);

async function drain(client: LeaseboardClient): Promise<never> {
  for (;;) {
    const claim = await client.columns.claimNext(board, column, {}, PATIENT);
    if (claim.card === null) {
      await sleep(PAUSE_MS);
      continue;
    }
    const { lease_id, lease_token } = claim;
    try {
      await client.leases.complete(lease_id, { lease_token, summary: 'done' }, PATIENT);
    } catch (error) {
      // A lease that ran out while the stack was down is another's; the card is offered again.
      console.error(error instanceof Error ? error.message : error);
    }
  }
}

await Promise.all(
  Array.from({ length: WORKERS }, async (_, number) =>
    drain(new LeaseboardClient({ url, token, agent: `worker-${process.pid}-${number}` })),
  ),
);
