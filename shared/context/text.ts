/** A context as one markdown text, to be put before a model. */
import type { Sections } from './sections.ts';

export function textOf(sections: Sections, truncated: readonly string[]): string {
  const { card } = sections;
  return [
    `# ${card.key}: ${card.title}`,
    card.body,
    ...abandoned(sections),
    ...parents(sections),
    ...attempts(sections),
    ...comments(sections),
    ...attachments(sections),
    ...cutOff(truncated),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** A heading and its entries; nothing where there are none. */
const section = (heading: string, entries: readonly string[]): string[] =>
  entries.length === 0 ? [] : [`## ${heading}`, ...entries];

function abandoned({ abandoned_by: by }: Sections): string[] {
  if (by === null) return [];
  return section('Abandoned', [
    `${by.agent} began attempt ${by.attempt} and went quiet at ${by.at}. Look at what is there before you begin.`,
    by.checkpoint === null ? '' : `Its last checkpoint:\n\n${by.checkpoint}`,
  ]);
}

function parents(sections: Sections): string[] {
  return section(
    'Results of the parents',
    sections.parents.map(({ key, title, agent, completed_at, summary, metadata }) =>
      lines(
        `### ${key}: ${title}${from(agent, completed_at)}`,
        summary,
        metadata === null ? null : `metadata: \`${JSON.stringify(metadata)}\``,
      ),
    ),
  );
}

function attempts(sections: Sections): string[] {
  return section(
    'Prior attempts',
    sections.attempts.map(({ number, agent, outcome, ended_at, summary, error, metadata }) =>
      lines(
        `### Attempt ${number}: ${outcome.replaceAll('_', ' ')}${from(agent, ended_at)}`,
        summary,
        error,
        metadata === null ? null : `metadata: \`${JSON.stringify(metadata)}\``,
      ),
    ),
  );
}

function comments(sections: Sections): string[] {
  return section(
    'Comments',
    sections.comments.map(({ author, created_at, body }) => `### ${author}, ${created_at}\n\n${body}`),
  );
}

function attachments(sections: Sections): string[] {
  const names = sections.attachments.map(
    ({ name, content_type, size, id }) => `- ${name} (${content_type}, ${size} bytes, ${id})`,
  );
  return names.length === 0 ? [] : section('Attachments', [names.join('\n')]);
}

function cutOff(truncated: readonly string[]): string[] {
  return truncated.length === 0
    ? []
    : section('Left out here', [truncated.map((said) => `- ${said}`).join('\n')]);
}

const from = (who: string | null, when: string | null): string =>
  [who === null ? '' : `, ${who}`, when === null ? '' : `, ${when}`].join('');

const lines = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join('\n\n');
