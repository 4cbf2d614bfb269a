/** `node examples/patterns/run.ts [NAME]`: plays one pattern, or all, on the installation that LB and TOKEN name. */
import { LeaseboardClient } from '../../client/index.ts';
import { PATTERNS } from './patterns.ts';

const url = process.env['LB'] ?? '';
const token = process.env['TOKEN'] ?? '';
const wanted = process.argv[2];
const chosen = Object.entries(PATTERNS).filter(([name]) => wanted === undefined || name === wanted);
if (chosen.length === 0) {
  console.error(`There is no pattern "${wanted}"; there are: ${Object.keys(PATTERNS).join(', ')}`);
  process.exit(2);
}
for (const [name, play] of chosen) {
  console.log(`\n${name}`);
  const board = await play(
    (agent) => new LeaseboardClient({ url, token, agent }),
    (line) => console.log(`  ${line}`),
  );
  console.log(`  (board ${board})`);
}
