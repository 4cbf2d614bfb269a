/** Boards. */
import {
  CreateBoardBody,
  DeleteBoardQuery,
  ListBoardsQuery,
  UpdateBoardBody,
} from '../../../shared/schemas/boards.ts';
import { ExportBoardQuery, ImportBoardBody, ImportRows } from '../../../shared/schemas/transfer.ts';
import { archiveBoard } from '../../../shared/verbs/archive-board.ts';
import { createBoard } from '../../../shared/verbs/create-board.ts';
import { deleteBoard } from '../../../shared/verbs/delete-board.ts';
import { exportBoard } from '../../../shared/verbs/export-board.ts';
import { getBoard } from '../../../shared/verbs/get-board.ts';
import { importBoard } from '../../../shared/verbs/import-board.ts';
import { listBoards } from '../../../shared/verbs/list-boards.ts';
import { restoreBoard } from '../../../shared/verbs/restore-board.ts';
import { updateBoard } from '../../../shared/verbs/update-board.ts';
import { NoFields, repeatableRoute, route, type Route } from '../../http/route.ts';

const BOARD = '/v1/boards/{board}';

export const boardRoutes: readonly Route[] = [
  repeatableRoute({
    method: 'POST',
    path: '/v1/boards',
    scope: 'admin',
    body: CreateBoardBody,
    status: 201,
    verb: createBoard,
  }),
  route({ method: 'GET', path: '/v1/boards', scope: 'worker', query: ListBoardsQuery, verb: listBoards }),
  route({ method: 'GET', path: BOARD, scope: 'worker', verb: getBoard }),
  route({ method: 'PATCH', path: BOARD, scope: 'admin', body: UpdateBoardBody, verb: updateBoard }),
  route({
    method: 'DELETE',
    path: BOARD,
    scope: 'admin',
    query: DeleteBoardQuery,
    status: 204,
    verb: async (engine, caller, input) =>
      input.hard ? deleteBoard(engine, caller, input) : archiveBoard(engine, caller, input),
  }),
  route({ method: 'POST', path: `${BOARD}:restore`, scope: 'admin', body: NoFields, verb: restoreBoard }),
  route({
    method: 'GET',
    path: `${BOARD}/export`,
    scope: 'member',
    query: ExportBoardQuery,
    lines: true,
    verb: exportBoard,
  }),
  repeatableRoute({
    method: 'POST',
    path: `${BOARD}/import`,
    scope: 'admin',
    body: ImportBoardBody,
    shownBody: ImportRows,
    lines: true,
    verb: importBoard,
  }),
];
