/** What the log says of claims that found nothing: the metrics of contention are counted there. */
import { expect, test } from 'vitest';
import { route } from '../../functions/http/route.ts';
import { createQueue } from '../support/queue.ts';
import { createHttpWorld } from './support/http-world.ts';

test('a claim that gave way to others says so in the log, and whether its column is measured', async () => {
  const contended = route({
    method: 'POST',
    path: '/v1/boards/{board}/columns/{column}:claim-next',
    scope: 'worker',
    verb: async () => ({ card: null, reason: 'contended' }),
  });
  const none = route({
    method: 'POST',
    path: '/v1/boards/{board}/columns/{column}:claim-batch',
    scope: 'worker',
    verb: async () => ({ claims: [], reason: 'empty' }),
  });
  const http = await createHttpWorld({}, [contended, none]);
  const measured = await createQueue(http.world, { metrics: true });
  const other = await createQueue(http.world);
  const said = async (column: string, verb: string) => {
    await http.call({ method: 'POST', path: `/v1/boards/b/columns/${column}:${verb}` });
    const { reason, measured: its, column: id } = JSON.parse(http.lines.at(-1) ?? '{}');
    return { reason, measured: its, column: id };
  };

  const [own, others] = [measured.column.column_id, other.column.column_id];
  expect(await said(own, 'claim-next')).toEqual({ reason: 'contended', measured: true, column: own });
  expect(await said(others, 'claim-next')).toEqual({ reason: 'contended', column: others });
  expect(await said('col_unknown', 'claim-next')).toEqual({ reason: 'contended', column: 'col_unknown' });
  expect(await said(own, 'claim-batch')).toEqual({ reason: 'empty', column: own });
});
