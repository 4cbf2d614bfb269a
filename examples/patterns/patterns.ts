/** The eight, by name. */
import { fanOut } from './fan-out.ts';
import { fleet } from './fleet.ts';
import { humanInTheLoop } from './human-in-the-loop.ts';
import { journal } from './journal.ts';
import { mention } from './mention.ts';
import { pipeline } from './pipeline.ts';
import { quorum } from './quorum.ts';
import type { Pattern } from './support.ts';
import { triage } from './triage.ts';

export const PATTERNS: Readonly<Record<string, Pattern>> = {
  'fan-out': fanOut,
  pipeline,
  quorum,
  journal,
  'human-in-the-loop': humanInTheLoop,
  mention,
  fleet,
  triage,
};
