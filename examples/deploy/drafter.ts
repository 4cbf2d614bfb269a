/** The worker: takes cards of the column one after the other, as long as its function may run. */
import { lambdaWorker, LeaseboardClient, PLATFORM } from '../../client/index.ts';
import { signedFetch } from './signed-fetch.ts';

const { LEASEBOARD_URL: url = '', BOARD: board = '', COLUMN: column = '' } = process.env;
/** No token: AWS says who this is, and the deployment has registered its role. */
const client = new LeaseboardClient({
  url,
  token: 'none',
  platform: { ...PLATFORM, fetch: signedFetch(process.env) },
});

export const handler = lambdaWorker({ client, board, column }, async ({ card }) => ({
  summary: `A draft of ${card.title}`,
}));
