/** The columns that a new board begins with. */
import { DEFAULT_CONTRACT } from '../contract/contract-fields.ts';
import type { Engine } from '../engine.ts';
import { newId } from '../ids.ts';
import type { ColumnItem } from '../store/items.ts';
import { newColumn } from './new-column.ts';

export const TEMPLATES = ['default', 'empty'] as const;
export type Template = (typeof TEMPLATES)[number];

/** `default`: two queues, work and its review, whose cards end in Done; nothing moves a dead card. */
export function templateColumns(engine: Engine, boardId: string, template: Template): ColumnItem[] {
  if (template === 'empty') return [];
  const done = newId('col', engine.deps);
  const contract = { ...DEFAULT_CONTRACT, enabled: true, on_success_column_id: done };
  return [
    newColumn(engine, boardId, { name: 'Triage', role: 'triage' }),
    newColumn(engine, boardId, { name: 'To do', role: 'todo' }),
    newColumn(engine, boardId, { name: 'Ready', role: 'work', contract }),
    newColumn(engine, boardId, { name: 'Review', role: 'review', contract }),
    newColumn(engine, boardId, { name: 'Blocked', role: 'blocked' }),
    newColumn(engine, boardId, { name: 'Done', role: 'done', id: done }),
  ];
}
