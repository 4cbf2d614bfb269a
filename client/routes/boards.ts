/** Boards, with their statistics and diagnostics. */
import { at, change, create, read, remove, repeatable, type RequestOptions, type Send } from '../call.ts';
import type {
  Board,
  BoardDetail,
  BoardInput,
  BoardPatch,
  Diagnostic,
  ExportedRow,
  ImportAnswer,
  Page,
  PageQuery,
  Stats,
} from '../types.ts';

export function boardRoutes(send: Send) {
  return {
    create: (input: BoardInput, options?: RequestOptions) =>
      send<BoardDetail>(create('/v1/boards', input), options),
    list: (query: PageQuery & { archived?: boolean } = {}, options?: RequestOptions) =>
      send<Page<Board>>(read('/v1/boards', { ...query }), options),
    /** `board` is an id or a slug, here and everywhere. */
    get: (board: string, options?: RequestOptions) =>
      send<BoardDetail>(read(at`/v1/boards/${board}`), options),
    update: (board: string, patch: BoardPatch, options?: RequestOptions) =>
      send<Board>(change(at`/v1/boards/${board}`, patch), options),
    archive: (board: string, options?: RequestOptions) =>
      send<void>(remove(at`/v1/boards/${board}`), options),
    /** Deletes the board and all that is on it. */
    delete: (board: string, options?: RequestOptions) =>
      send<void>(remove(at`/v1/boards/${board}`, { hard: true }), options),
    restore: (board: string, options?: RequestOptions) =>
      send<Board>(repeatable(at`/v1/boards/${board}:restore`), options),
    /** The board as rows, a page at a time. */
    export: (board: string, query: PageQuery = {}, options?: RequestOptions) =>
      send<Page<ExportedRow>>(read(at`/v1/boards/${board}/export`, { ...query }), options),
    /** Rows as `export` answers them, up to a hundred; what is there already stays as it is. */
    import: (board: string, rows: readonly ExportedRow[], options?: RequestOptions) =>
      send<ImportAnswer>(create(at`/v1/boards/${board}/import`, { rows }), options),
    stats: (board: string, options?: RequestOptions) =>
      send<Stats>(read(at`/v1/boards/${board}/stats`), options),
    /** Cards that are not offered: why, and the call that would change that. */
    diagnostics: (board: string, query: PageQuery = {}, options?: RequestOptions) =>
      send<Page<Diagnostic>>(read(at`/v1/boards/${board}/diagnostics`, { ...query }), options),
  };
}
