/**
 * The protocol of CloudFormation's custom resources: a request comes as an event, and its outcome goes by PUT to the
 * address that the event names. One that is never answered holds a deployment up for an hour, so failures are
 * answered too.
 */
import * as z from 'zod';
import { cut } from '../../shared/text.ts';

const Request = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.url({ protocol: /^https?$/ }),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  PhysicalResourceId: z.string().optional(),
  ResourceProperties: z.object({ Kind: z.string(), Code: z.string().default('{}') }),
});
export type CustomResourceRequest = z.infer<typeof Request>;

/** What there is now. An id other than before makes CloudFormation delete what was there under that one. */
export interface Applied {
  readonly id: string;
  /** For other resources to refer to; whatever is in it may be a secret, so it is never shown. */
  readonly data?: Readonly<Record<string, string>>;
}

/** The whole answer may have 4 KB, and one that is longer counts as none; as JSON, a byte may take six. */
const REASON_BYTES = 500;
const ANSWER_TIMEOUT_MS = 10_000;

export function parseCustomResourceRequest(event: unknown): CustomResourceRequest {
  return Request.parse(event);
}

export async function answerApplied(request: CustomResourceRequest, { id, data }: Applied): Promise<void> {
  await answer(request, { Status: 'SUCCESS', PhysicalResourceId: id, NoEcho: true, Data: data ?? {} });
}

/** @param reason Is shown to whoever deploys. */
export async function answerFailed(request: CustomResourceRequest, reason: string): Promise<void> {
  await answer(request, {
    Status: 'FAILED',
    // Of one that was never made, CloudFormation asks for the deletion by the id that it was told.
    PhysicalResourceId: request.PhysicalResourceId ?? NEVER_MADE,
    Reason: cut(reason, REASON_BYTES),
  });
}

export const NEVER_MADE = 'never-made';

async function answer(request: CustomResourceRequest, outcome: object): Promise<void> {
  const { StackId, RequestId, LogicalResourceId, ResponseURL } = request;
  const body = JSON.stringify({ StackId, RequestId, LogicalResourceId, ...outcome });
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  // No content type: the address is signed for none.
  const response = await fetch(ResponseURL, { method: 'PUT', body: Buffer.from(body), signal });
  if (!response.ok) throw new Error(`CloudFormation answered the outcome with ${response.status}`);
}
