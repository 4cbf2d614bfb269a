/** The fields of a card's form, as text, and their way into what the API takes. */
import type { Card, CardFields } from '../../../client/types.ts';

export interface FormValues {
  readonly title: string;
  readonly body: string;
  readonly priority: string;
  readonly assignee: string;
  readonly tenant: string;
  readonly labels: string;
  readonly properties: string;
  readonly draft: boolean;
}

export const EMPTY_FORM: FormValues = {
  title: '',
  body: '',
  priority: '5',
  assignee: '',
  tenant: '',
  labels: '',
  properties: '',
  draft: false,
};

export function valuesOf(card: Card): FormValues {
  return {
    title: card.title,
    body: card.body,
    priority: String(card.priority),
    assignee: card.assignee ?? '',
    tenant: card.tenant ?? '',
    labels: card.labels.join(', '),
    properties: Object.keys(card.properties).length === 0 ? '' : JSON.stringify(card.properties, null, 2),
    draft: card.draft,
  };
}

/** What the form says, in full. @throws SyntaxError when the properties are no JSON. */
export function fieldsOf(values: FormValues): Required<
  Pick<CardFields, 'title' | 'body' | 'priority' | 'assignee' | 'tenant' | 'labels' | 'draft'>
> & {
  properties: Record<string, unknown>;
} {
  const text = (value: string): string | null => (value.trim() === '' ? null : value.trim());
  const labels = values.labels.split(',').map((label) => label.trim());
  return {
    title: values.title.trim(),
    body: values.body,
    priority: Number(values.priority),
    assignee: text(values.assignee),
    tenant: text(values.tenant),
    labels: labels.filter((label) => label !== ''),
    draft: values.draft,
    properties: parseProperties(values.properties),
  };
}

function parseProperties(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SyntaxError('Properties must be a JSON object, such as {"url": "https://example.com"}');
  }
  return value as Record<string, unknown>;
}

/** Only what differs, so that a save undoes nothing that somebody else has changed in another field. */
export function changedFields(before: FormValues, after: FormValues): CardFields {
  const old = fieldsOf(before);
  const fresh = fieldsOf(after);
  const changes: Record<string, unknown> = {};
  for (const name of ['title', 'body', 'priority', 'assignee', 'tenant', 'draft'] as const) {
    if (old[name] !== fresh[name]) changes[name] = fresh[name];
  }
  if (JSON.stringify(old.labels) !== JSON.stringify(fresh.labels)) changes['labels'] = fresh.labels;
  const properties = changedProperties(old.properties, fresh.properties);
  if (Object.keys(properties).length > 0) changes['properties'] = properties;
  return changes;
}

/** A patch merges key by key; null takes a key away. */
function changedProperties(
  old: Readonly<Record<string, unknown>>,
  fresh: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fresh)) {
    if (JSON.stringify(old[name]) !== JSON.stringify(value)) changes[name] = value;
  }
  for (const name of Object.keys(old)) if (!(name in fresh)) changes[name] = null;
  return changes;
}

interface FieldsProps {
  readonly values: FormValues;
  readonly set: (change: Partial<FormValues>) => void;
}

export function CardFormFields({ values, set }: FieldsProps) {
  const input = (name: 'assignee' | 'tenant' | 'labels', label: string, placeholder: string) => (
    <label class="field">
      <span>{label}</span>
      <input
        value={values[name]}
        placeholder={placeholder}
        onInput={({ currentTarget }) => set({ [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <>
      <label class="field">
        <span>Title</span>
        <input
          required
          maxLength={500}
          value={values.title}
          onInput={({ currentTarget }) => set({ title: currentTarget.value })}
        />
      </label>
      <label class="field">
        <span>Description, in Markdown</span>
        <textarea
          rows={7}
          value={values.body}
          onInput={({ currentTarget }) => set({ body: currentTarget.value })}
        />
      </label>
      <div class="field-row">
        <label class="field">
          <span>Priority</span>
          <select
            value={values.priority}
            onChange={({ currentTarget }) => set({ priority: currentTarget.value })}
          >
            {['9', '8', '7', '6', '5', '4', '3', '2', '1', '0'].map((priority) => (
              <option key={priority} value={priority}>
                {priority}
                {priority === '9'
                  ? ' (first)'
                  : priority === '5'
                    ? ' (usual)'
                    : priority === '0'
                      ? ' (last)'
                      : ''}
              </option>
            ))}
          </select>
        </label>
        {input('assignee', 'Assignee', 'Any agent')}
        {input('tenant', 'Tenant', 'None')}
      </div>
      {input('labels', 'Labels', 'With commas between')}
      <label class="field">
        <span>Properties, as JSON</span>
        <textarea
          class="code"
          rows={4}
          spellcheck={false}
          placeholder="{}"
          value={values.properties}
          onInput={({ currentTarget }) => set({ properties: currentTarget.value })}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={values.draft}
          onChange={({ currentTarget }) => set({ draft: currentTarget.checked })}
        />
        Draft: not offered to anybody yet
      </label>
    </>
  );
}
