/** A board with a queue, made and filled through the tools. */
import type { McpWorld, ToolUser } from './mcp-world.ts';

export interface Queue {
  readonly admin: ToolUser;
  readonly board_id: string;
  /** Of the queue. */
  readonly column_id: string;
  readonly columns: readonly { readonly id: string; readonly name: string }[];
  readonly card: (title: string, more?: Record<string, unknown>) => Promise<string>;
  /** A worker of a token of its own, which may be one agent's. */
  readonly worker: (id: string, agent?: string) => Promise<ToolUser>;
}

let queues = 0;

/** @param contract Beside `enabled`. */
export async function createQueue(mcp: McpWorld, contract: Record<string, unknown> = {}): Promise<Queue> {
  queues += 1;
  const admin = await mcp.connect(mcp.admin);
  const { value: board } = await admin.call('create_board', { name: `Queue ${queues}` });
  const columns = board['columns'] as { id: string; name: string }[];
  const idOf = (name: string): string => columns.find((column) => column.name === name)?.id ?? '';
  const board_id = String(board['id']);
  const column_id = idOf('Ready');
  await admin.call('set_column_contract', {
    board_id,
    column_id,
    enabled: true,
    on_success_column_id: idOf('Done'),
    ...contract,
  });
  return {
    admin,
    board_id,
    column_id,
    columns,
    card: async (title, more = {}) => {
      // Cards of one millisecond stand in no order.
      mcp.world.clock.advance(1);
      const { value } = await admin.call('create_card', { board_id, column_id, title, ...more });
      return String(value['id']);
    },
    worker: async (id, agent) => {
      const bound = agent === undefined ? {} : { agent };
      return mcp.connect(await mcp.token(`${id}${queues}`, { scopes: ['worker'], ...bound }));
    },
  };
}

/** What later calls about a claimed card show. */
export function held(value: Record<string, unknown>): { lease_id: string; lease_token: string } {
  return { lease_id: String(value['lease_id']), lease_token: String(value['lease_token']) };
}
