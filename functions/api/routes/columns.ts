/** Columns and their contracts; every POST on one column is in the function `claim`. */
import { contractFields } from '../../../shared/contract/contract-fields.ts';
import { CreateColumnBody, UpdateColumnBody } from '../../../shared/schemas/columns.ts';
import { createColumn } from '../../../shared/verbs/create-column.ts';
import { deleteColumn } from '../../../shared/verbs/delete-column.ts';
import { getContract } from '../../../shared/verbs/get-contract.ts';
import { putContract } from '../../../shared/verbs/put-contract.ts';
import { updateColumn } from '../../../shared/verbs/update-column.ts';
import { repeatableRoute, route, Unchecked, type Route } from '../../http/route.ts';

const COLUMNS = '/v1/boards/{board}/columns';
const COLUMN = `${COLUMNS}/{column}` as const;

export const columnRoutes: readonly Route[] = [
  repeatableRoute({
    method: 'POST',
    path: COLUMNS,
    scope: 'member',
    body: CreateColumnBody,
    status: 201,
    verb: createColumn,
  }),
  route({ method: 'PATCH', path: COLUMN, scope: 'member', body: UpdateColumnBody, verb: updateColumn }),
  route({ method: 'DELETE', path: COLUMN, scope: 'member', status: 204, verb: deleteColumn }),
  route({ method: 'GET', path: `${COLUMN}/contract`, scope: 'worker', verb: getContract }),
  route({
    method: 'PUT',
    path: `${COLUMN}/contract`,
    scope: 'member',
    body: Unchecked,
    shownBody: contractFields,
    verb: async (engine, caller, { board, column, unchecked }) =>
      putContract(engine, caller, { board, column, contract: unchecked }),
  }),
];
