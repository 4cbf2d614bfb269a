/** Where a contract sends its cards: what only somebody who knows the board's columns can decide. */
import type { ContractFault } from './parse-contract.ts';
import type { ContractSettings } from './contract-fields.ts';

/**
 * A success column must be another column of the board: a completed card that came back to its own queue would be
 * claimed for ever. A failure column may be the column itself, where dead cards then stay, in sight.
 *
 * @param boardColumnIds ids of the columns that the board has now, those being closed left out.
 */
export function checkTargets(
  contract: Pick<ContractSettings, 'on_success_column_id' | 'on_failure_column_id'>,
  columnId: string,
  boardColumnIds: ReadonlySet<string>,
): readonly ContractFault[] {
  const faults = (['on_success_column_id', 'on_failure_column_id'] as const).flatMap((field) => {
    const target = contract[field];
    return target === null || boardColumnIds.has(target)
      ? []
      : [{ path: `/${field}`, message: `is no column of this board: ${target}` }];
  });
  return contract.on_success_column_id === columnId
    ? [
        ...faults,
        { path: '/on_success_column_id', message: 'must be another column than the contract’s own' },
      ]
    : faults;
}
