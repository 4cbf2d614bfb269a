import { describe, expect, it } from 'vitest';
import { checkTargets } from '../../shared/contract/check-targets.ts';

const columns = new Set(['col_ready', 'col_done', 'col_blocked']);

describe('The targets of a contract of col_ready', () => {
  it.each<[string, string | null, string | null, string[]]>([
    ['may be left out', null, null, []],
    ['may be other columns of the board', 'col_done', 'col_blocked', []],
    ['may be the column itself for failures', null, 'col_ready', []],
    ['may not be the column itself for success', 'col_ready', null, ['/on_success_column_id']],
    [
      'may not be missing or of another board',
      'col_else',
      'col_gone',
      ['/on_success_column_id', '/on_failure_column_id'],
    ],
  ])('%s', (_rule, on_success_column_id, on_failure_column_id, paths) => {
    const faults = checkTargets({ on_success_column_id, on_failure_column_id }, 'col_ready', columns);
    expect(faults.map(({ path }) => path)).toEqual(paths);
  });
});
