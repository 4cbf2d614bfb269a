/** The fields of a contract, each with what it means. */
import type { ColumnDetail } from '../../../client/types.ts';
import type { ContractValues } from './contract-values.ts';

interface ContractFieldsProps {
  readonly values: ContractValues;
  readonly set: (change: Partial<ContractValues>) => void;
  readonly columns: readonly ColumnDetail[];
}

type TextField = {
  [Name in keyof ContractValues]: ContractValues[Name] extends string ? Name : never;
}[keyof ContractValues];

const NUMBERS: readonly (readonly [name: TextField, label: string, hint: string])[] = [
  ['lease_ttl_seconds', 'Lease, in seconds', 'How long a claim lasts without a heartbeat'],
  ['max_attempts', 'Attempts', 'Then the card is dead'],
  ['backoff_seconds', 'Backoff, in seconds', 'Wait after each failed attempt; the last repeats'],
  ['backoff_jitter', 'Jitter', '0 to 1; a wait only ever gets longer'],
  ['concurrency_limit', 'Leases at once', 'Empty for no limit'],
  ['max_per_assignee', 'Leases of one agent', 'Empty for no limit'],
  ['max_runtime_seconds', 'Longest run, in seconds', 'Heartbeats included; empty for no limit'],
  ['aging_seconds', 'Aging, in seconds', 'Waiting this long is worth a step of priority'],
  ['block_recurrence_limit', 'Blocks of one kind', 'Then the card goes to triage'],
  ['changes_reserved_seconds', 'Changes reserved, in seconds', 'Its implementer has it to itself so long'],
];

export function ContractFields({ values, set, columns }: ContractFieldsProps) {
  return (
    <>
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          checked={values.enabled}
          onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
        />
        <span>
          <strong>This column is a queue</strong>
          <small>Workers claim its cards under a lease</small>
        </span>
      </label>
      {values.enabled ? <QueueFields values={values} set={set} columns={columns} /> : null}
    </>
  );
}

function QueueFields({ values, set, columns }: ContractFieldsProps) {
  return (
    <>
      <div class="field-grid">
        {NUMBERS.map(([name, label, hint]) => (
          <label key={name} class="field">
            <span>{label}</span>
            <input
              inputMode="decimal"
              value={values[name]}
              onInput={({ currentTarget }) => set({ [name]: currentTarget.value })}
            />
            <small>{hint}</small>
          </label>
        ))}
        <ColumnChoice
          label="Done cards go to"
          value={values.on_success_column_id}
          columns={columns}
          set={(id) => set({ on_success_column_id: id })}
        />
        <ColumnChoice
          label="Dead cards go to"
          value={values.on_failure_column_id}
          columns={columns}
          set={(id) => set({ on_failure_column_id: id })}
        />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={values.exclude_previous_holder}
          onChange={({ currentTarget }) => set({ exclude_previous_holder: currentTarget.checked })}
        />
        Nobody is offered a card that they worked on before
      </label>
      <div class="field-row">
        <Schema
          label="Input schema: what a card's properties must satisfy"
          value={values.input_schema}
          set={(input_schema) => set({ input_schema })}
        />
        <Schema
          label="Output schema: what a completion's output must satisfy"
          value={values.output_schema}
          set={(output_schema) => set({ output_schema })}
        />
      </div>
    </>
  );
}

interface ColumnChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly columns: readonly ColumnDetail[];
  readonly set: (id: string) => void;
}

function ColumnChoice({ label, value, columns, set }: ColumnChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        <option value="">Stay in place</option>
        {columns.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SchemaProps {
  readonly label: string;
  readonly value: string;
  readonly set: (text: string) => void;
}

function Schema({ label, value, set }: SchemaProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        class="code"
        rows={6}
        spellcheck={false}
        placeholder='{"type": "object", "required": ["url"]}'
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}
