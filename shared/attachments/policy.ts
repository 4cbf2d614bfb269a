/** Every number of attachments: its name, its unit, its reason. */
import { SECOND_MS } from '../units.ts';

const MEGABYTE = 1_048_576;

/** What one file may weigh. Bytes. */
export const FILE_BYTES = 25 * MEGABYTE;
/** Sent inside a request, whose bound of 1 MiB leaves room for this many bytes in base64. */
export const INLINE_BYTES = 700 * 1_024;
/** Files of one card: a page of rows is read whole to keep names apart. */
export const FILES_PER_CARD = 100;
/** As long as file systems take, with room for what tells equal names apart. Characters. */
export const NAME_CHARACTERS = 200;
/** A name as it is sent, path included. Bytes. */
export const SENT_NAME_BYTES = 1_024;
export const CONTENT_TYPE_BYTES = 255;
export const SOURCE_URL_BYTES = 2_048;

/** A signed address is good for this long: 25 MB over a slow line, and no longer than somebody who found it needs. */
export const SIGNED_URL_SECONDS = 900;

/** A fetch of `from_url`, connecting included: it must end while the function that waits for it still may run. */
export const FETCH_TIMEOUT_MS = 15 * SECOND_MS;

/** The functions' own calls of the bucket: what carries a file, and what carries none. */
export const BUCKET_PUT_TIMEOUT_MS = 10 * SECOND_MS;
export const BUCKET_CALL_TIMEOUT_MS = 2 * SECOND_MS;
/** Tries of a call that found the bucket busy or unreachable, and the mean pause between them, doubled each time. */
export const BUCKET_TRIES = 3;
export const BUCKET_JITTER_MS = 50;
/** Calls of the bucket side by side. */
export const BUCKET_WIDTH = 8;
