/** What a deployment's code may ask for, and how each is applied and taken away again. */
import { applyAdminToken, applyRole, revokeApplied, RoleCode } from '../../shared/setup/apply-access.ts';
import { applyBoard, BoardCode } from '../../shared/setup/apply-board.ts';
import { applyWebhook, removeAppliedWebhook, WebhookCode } from '../../shared/setup/apply-webhook.ts';
import { fetchSecretText } from '../../shared/aws/secret-text.ts';
import type { Engine } from '../../shared/engine.ts';
import { readEnv } from '../../shared/env.ts';
import type { Applied } from './custom-resource.ts';

export interface Kind {
  readonly apply: (engine: Engine, code: unknown) => Promise<Applied>;
  readonly remove: (engine: Engine, id: string) => Promise<void>;
}

const kinds: Readonly<Record<string, Kind>> = {
  /** A board that is no longer in the code stays, with its cards: only people delete work. */
  board: {
    apply: async (engine, code) => {
      const { id, columns } = await applyBoard(engine, BoardCode.parse(code));
      return { id, data: Object.fromEntries(columns.map((column, at) => [`Column${at}`, column])) };
    },
    remove: async () => undefined,
  },
  role: {
    apply: async (engine, code) => ({ id: await applyRole(engine, RoleCode.parse(code)) }),
    remove: revokeApplied,
  },
  webhook: {
    apply: async (engine, code) => {
      const { name, secret } = await applyWebhook(engine, WebhookCode.parse(code));
      return { id: name, data: { Secret: secret } };
    },
    remove: removeAppliedWebhook,
  },
  'admin-token': {
    apply: async (engine) => ({
      id: await applyAdminToken(engine, await fetchSecretText(readEnv('ADMIN_TOKEN_SECRET_ID'))),
    }),
    remove: revokeApplied,
  },
};

/** @throws Error for a kind that only a newer version knows. */
export function kindOf(name: string): Kind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) throw new Error(`Nothing of the kind '${name}' can be set up by this version.`);
  return kind;
}
