/** Who is calling, with which tokens, and what there is to take. */
import { at, once, read, remove, type RequestOptions, type Send } from '../call.ts';
import type {
  CreatedToken,
  Frontier,
  JsonObject,
  Me,
  Page,
  PageQuery,
  RoleInput,
  Token,
  TokenInput,
} from '../types.ts';

export function tokenRoutes(send: Send) {
  return {
    /** Not repeated when its answer is lost: it shows the token, once. */
    create: (input: TokenInput, options?: RequestOptions) =>
      send<CreatedToken>(once('/v1/tokens', input), options),
    list: (query: PageQuery = {}, options?: RequestOptions) =>
      send<Page<Token>>(read('/v1/tokens', { ...query }), options),
    /** A new secret for it; the old one opens for `grace_seconds` still (default a day). Shown once, so not repeated. */
    rotate: (token: string, input: { grace_seconds?: number } = {}, options?: RequestOptions) =>
      send<CreatedToken>(once(at`/v1/tokens/${token}:rotate`, input), options),
    /** Lets an IAM role call under `/aws`; listed and revoked among the tokens. */
    registerRole: (input: RoleInput, options?: RequestOptions) =>
      send<Token>(once('/v1/roles', input), options),
    revoke: (token: string, options?: RequestOptions) => send<void>(remove(at`/v1/tokens/${token}`), options),
  };
}

export function frontierRoutes(send: Send) {
  return {
    get: (board: string, query: { agent?: string; column?: string } = {}, options?: RequestOptions) =>
      send<Frontier>(read(at`/v1/boards/${board}/frontier`, { ...query }), options),
  };
}

export function systemRoutes(send: Send) {
  return {
    health: (options?: RequestOptions) => send<JsonObject>(read('/healthz'), options),
    me: (options?: RequestOptions) => send<Me>(read('/v1/me'), options),
    openapi: (options?: RequestOptions) => send<JsonObject>(read('/v1/openapi.json'), options),
  };
}
