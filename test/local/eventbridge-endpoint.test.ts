import { EventBridgeClient, ListRulesCommand, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect, onTestFinished, test } from 'vitest';
import { startEventBridgeEndpoint } from '../../local/eventbridge-endpoint.ts';

async function start() {
  const endpoint = await startEventBridgeEndpoint((_, error) => {
    throw error;
  });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new EventBridgeClient({ endpoint: endpoint.url, region: 'us-east-1', credentials });
  onTestFinished(async () => {
    client.destroy();
    await endpoint.close();
  });
  return { endpoint, client };
}

const entry = (detail: unknown) => ({
  EventBusName: 'leaseboard',
  Source: 'leaseboard',
  DetailType: 'card.created',
  Detail: typeof detail === 'string' ? detail : JSON.stringify(detail),
});

test('the SDK puts events, and what is on the bus can be looked at', async () => {
  const { endpoint, client } = await start();
  const Time = new Date('2026-03-02T09:00:00.000Z');
  const Entries = [{ ...entry({ id: 'evt_1' }), Time, Resources: ['urn:x'] }];
  const answer = await client.send(new PutEventsCommand({ Entries }));

  expect(answer).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId: expect.any(String) }] });
  expect(endpoint.recent()).toMatchObject([
    {
      bus: 'leaseboard',
      source: 'leaseboard',
      detailType: 'card.created',
      time: '2026-03-02T09:00:00.000Z',
      resources: ['urn:x'],
      detail: { id: 'evt_1' },
    },
  ]);
});

test('an entry that is wrong fails alone', async () => {
  const { endpoint, client } = await start();
  const Entries = [entry({ id: 'evt_1' }), entry('no JSON'), entry({ id: 'evt_3' })];
  const answer = await client.send(new PutEventsCommand({ Entries }));

  expect(answer.FailedEntryCount).toBe(1);
  expect(answer.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
    undefined,
    'MalformedDetail',
    undefined,
  ]);
  expect(endpoint.recent().map(({ detail }) => detail)).toEqual([{ id: 'evt_1' }, { id: 'evt_3' }]);
});

test('more than ten entries, or more than 256 KB, are refused as a whole', async () => {
  const { endpoint, client } = await start();
  const many = Array.from({ length: 11 }, () => entry({}));
  await expect(client.send(new PutEventsCommand({ Entries: many }))).rejects.toThrow('1 to 10');
  const large = Array.from({ length: 3 }, () => entry({ text: 'x'.repeat(100_000) }));
  await expect(client.send(new PutEventsCommand({ Entries: large }))).rejects.toThrow('over the limit');
  expect(endpoint.recent()).toEqual([]);
});

test('another operation is refused by name', async () => {
  const { client } = await start();
  await expect(client.send(new ListRulesCommand({}))).rejects.toThrow('Only PutEvents');
});
