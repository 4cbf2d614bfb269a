/**
 * A batch of the queue of deliveries: endpoints side by side, the deliveries of one in a chain. No message holds up
 * another's endpoint, and one that fails is named, to come again.
 */
import { DeliveryMessageSchema, type DeliveryMessage, type SendMessage } from './message.ts';
import { recoverOn } from './recovery.ts';
import { sendChain } from './send-chain.ts';
import type { SenderParts } from './sender.ts';

interface Received {
  /** Its place in the batch. */
  readonly at: number;
  readonly message: DeliveryMessage;
}

/**
 * @param bodies As they came; what is no message of ours fails, and ends among the dead letters.
 * @returns places of those that must come again.
 */
export async function sendBatch(parts: SenderParts, bodies: readonly string[]): Promise<number[]> {
  const failed: number[] = [];
  const received: Received[] = [];
  for (const [at, body] of bodies.entries()) {
    const message = parseMessage(body);
    if (message !== null) received.push({ at, message });
    else {
      failed.push(at);
      parts.report('unreadable delivery message', { at });
    }
  }
  await Promise.all(
    [...Map.groupBy(received, groupOf).values()].map(async (group) => {
      try {
        await workOn(parts, group);
      } catch (error) {
        failed.push(...group.map(({ at }) => at));
        report(parts, group, error);
      }
    }),
  );
  return failed.sort((a, b) => a - b);
}

/** Recoveries apart from sends: they take seconds of the table, and no slot. */
function groupOf({ message }: Received): string {
  return `${message.kind === 'recover' ? 'recover' : 'send'} ${message.webhook_id}`;
}

async function workOn(parts: SenderParts, group: readonly Received[]): Promise<void> {
  const [first] = group;
  if (first?.message.kind === 'recover') {
    await recoverOn(parts.engine, first.message.board_id, first.message.webhook_id);
    return;
  }
  const sends = group
    .map(({ message }) => message)
    .filter((message): message is SendMessage => message.kind !== 'recover');
  await sendChain(parts, sends);
}

function parseMessage(body: string): DeliveryMessage | null {
  try {
    return DeliveryMessageSchema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}

function report(parts: SenderParts, group: readonly Received[], error: unknown): void {
  parts.report('deliveries not made', {
    webhook_id: group[0]?.message.webhook_id,
    messages: group.length,
    reason: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown',
  });
}
