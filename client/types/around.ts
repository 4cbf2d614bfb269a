/** What hangs on a card: comments, links, attachments, graphs. */
import type { CardInput, CardSummary } from './card.ts';

export interface Comment {
  readonly id: string;
  readonly author: string;
  readonly body: string;
  readonly mentions: readonly string[];
  readonly created_at: string;
}

export interface Links {
  readonly parents: readonly CardSummary[];
  readonly children: readonly CardSummary[];
}

/** The parent blocks the child. */
export interface Link {
  readonly parent_id: string;
  readonly child_id: string;
}

/** One end; the card of the path is the other. */
export type LinkInput = { readonly parent_id: string } | { readonly child_id: string };

/** An upload of one's own, a small content in place, or an address to fetch from. */
export type AttachmentInput =
  | { readonly name: string; readonly content_type: string; readonly size: number }
  | { readonly name: string; readonly content_type: string; readonly content_base64: string }
  | { readonly name?: string; readonly from_url: string };

interface AttachmentFacts {
  readonly id: string;
  /** The last part of the name that was sent; once per card. */
  readonly name: string;
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
  /** The file is there. */
  readonly uploaded: boolean;
  readonly author: string;
  readonly created_at: string;
}

export interface Attachment extends AttachmentFacts {
  /** GET the file here; null while it is not there. */
  readonly download_url: string | null;
  /** Until when the download may begin. */
  readonly expires_at: string | null;
}

export interface CreatedAttachment extends AttachmentFacts {
  /** PUT the file here, with these headers; null when it is there. */
  readonly upload_url: string | null;
  readonly upload_headers: Readonly<Record<string, string>> | null;
  /** Until when the upload may begin. */
  readonly expires_at: string | null;
}

/** Cards and links made together or not at all. */
export interface GraphInput {
  readonly cards: readonly (CardInput & { readonly ref: string })[];
  /** Each end a `ref` of this graph or the id of a card. */
  readonly links: readonly { readonly parent: string; readonly child: string }[];
}

export interface GraphAnswer {
  /** Ids by `ref`. */
  readonly cards: Readonly<Record<string, string>>;
}

export interface SwarmInput {
  readonly goal: string;
  /** Who works on a part each; null: whoever claims it. */
  readonly workers: readonly (string | null)[];
  readonly verifier: string | null;
  readonly synthesizer: string | null;
  readonly column_id?: string;
}
