/** What hangs on a card: comments, links, attachments. And single runs. */
import { at, create, read, remove, type RequestOptions, type Send } from '../call.ts';
import type {
  Attachment,
  AttachmentInput,
  Comment,
  CreatedAttachment,
  Link,
  LinkInput,
  Links,
  Page,
  PageQuery,
  Run,
} from '../types.ts';

export function commentRoutes(send: Send) {
  return {
    create: (card: string, body: string, options?: RequestOptions) =>
      send<Comment>(create(at`/v1/cards/${card}/comments`, { body }), options),
    list: (card: string, query: PageQuery = {}, options?: RequestOptions) =>
      send<Page<Comment>>(read(at`/v1/cards/${card}/comments`, { ...query }), options),
  };
}

export function linkRoutes(send: Send) {
  return {
    create: (card: string, link: LinkInput, options?: RequestOptions) =>
      send<Link>(create(at`/v1/cards/${card}/links`, link), options),
    list: (card: string, options?: RequestOptions) => send<Links>(read(at`/v1/cards/${card}/links`), options),
    delete: (card: string, link: LinkInput, options?: RequestOptions) =>
      send<void>(remove(at`/v1/cards/${card}/links`, { ...link }), options),
  };
}

export function attachmentRoutes(send: Send) {
  return {
    create: (card: string, input: AttachmentInput, options?: RequestOptions) =>
      send<CreatedAttachment>(create(at`/v1/cards/${card}/attachments`, input), options),
    list: (card: string, query: PageQuery = {}, options?: RequestOptions) =>
      send<Page<Attachment>>(read(at`/v1/cards/${card}/attachments`, { ...query }), options),
    delete: (card: string, attachment: string, options?: RequestOptions) =>
      send<void>(remove(at`/v1/cards/${card}/attachments/${attachment}`), options),
  };
}

export function runRoutes(send: Send) {
  return {
    get: (run: string, options?: RequestOptions) => send<Run>(read(at`/v1/runs/${run}`), options),
  };
}
