/** The bucket that the files lie in, as verbs know it. Files go to and from it directly, by signed addresses. */

/** Where a file is to be uploaded: by PUT, with these headers and no other content than was announced. */
export interface SignedUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Bucket {
  readonly signUpload: (key: string, file: { content_type: string; size: number }) => Promise<SignedUpload>;
  /** An address that answers the file as something to be saved, never as a page. */
  readonly signDownload: (key: string, file: { content_type: string; name: string }) => Promise<string>;
  readonly put: (key: string, bytes: Uint8Array, contentType: string) => Promise<void>;
  /** Bytes; null when there is no such file. */
  readonly sizeOf: (key: string) => Promise<number | null>;
  /** No such file is as good as a removed one. */
  readonly remove: (key: string) => Promise<void>;
}

const refuse = async (): Promise<never> => {
  throw new Error('This function has no bucket: see the manifest.');
};

/** Of a function that has no part in attachments. */
export const NO_BUCKET: Bucket = {
  signUpload: refuse,
  signDownload: refuse,
  put: refuse,
  sizeOf: refuse,
  remove: refuse,
};
