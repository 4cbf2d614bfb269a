/** What people set on a card, as flags. */
import { field } from '../fields.ts';

export const CARD_FIELDS = [
  field('title', 'text', 'what it is'),
  field('body', 'text', 'the whole text (text, @FILE or -)'),
  field('properties', 'json', 'what a worker reads'),
  field('priority', 'number', '0 to 9, the highest first'),
  field('assignee', 'text', 'who is to work on it'),
  field('tenant', 'text', 'whose it is'),
  field('label', 'list', 'a label', { name: 'labels' }),
  field('skill', 'list', 'a skill that it needs', { name: 'skills' }),
  field('model', 'json', 'which model, such as {"name": "...", "provider": "..."}'),
  field('at', 'time', 'not before then', { name: 'scheduled_at' }),
  field('max-attempts', 'number', 'then it is dead'),
  field('max-runtime-seconds', 'number', 'longest life of one lease'),
  field('draft', 'flag', 'not to be offered yet'),
  field('hold', 'flag', 'not to be offered for now'),
  field('container', 'flag', 'holds other cards, and is not worked on itself'),
  field('container-id', 'card', 'the container that it is in'),
  field('workflow-template-id', 'text', 'of a workflow of your own'),
  field('current-step-key', 'text', 'where it stands in that workflow'),
] as const;

/** For what a lease stands in the way of. */
export const FORCE = [
  field('force', 'flag', 'take it from its worker'),
  field('reason', 'text', 'what the worker is told'),
] as const;

export const REASON = field('reason', 'text', 'why');

/** Columns of a list of cards. */
export const CARD_COLUMNS = ['key', 'state', 'priority', 'title', 'assignee', 'lease.agent', 'id'] as const;
