/** SQS on this machine: an emulator from npm in this process, in memory. What it loses the reaper queues again. */
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import type { QueueTrigger } from '../functions/manifest.ts';

/** The emulator's own account. */
const ACCOUNT = '000000000000';
const REGION = 'us-east-1';
const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

export interface LocalQueue {
  readonly url: string;
  readonly arn: string;
  /** Where messages go that were received too often. */
  readonly deadLettersUrl: string;
}

export interface SqsEndpoint {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** A client of it, for the local runtime's own calls. */
  readonly client: SQSClient;
  readonly createQueue: (
    name: string,
    settings: Pick<QueueTrigger, 'visibilitySeconds' | 'maxReceives'>,
  ) => Promise<LocalQueue>;
  readonly close: () => Promise<void>;
}

/** Serves on a free loopback port; the emulator's own way to start would serve on every interface. */
export async function startSqsEndpoint(): Promise<SqsEndpoint> {
  const app = buildApp({ logger: false });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const client = new SQSClient({ endpoint: url, region: REGION, credentials: CREDENTIALS });
  const create = async (name: string, attributes: Record<string, string> = {}): Promise<string> => {
    await client.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
    return `${url}/${ACCOUNT}/${name}`;
  };
  return {
    url,
    client,
    createQueue: async (name, { visibilitySeconds, maxReceives }) => {
      const deadLettersUrl = await create(`${name}-dead-letters`);
      const redrive = { deadLetterTargetArn: arnOf(`${name}-dead-letters`), maxReceiveCount: maxReceives };
      const queueUrl = await create(name, {
        VisibilityTimeout: String(visibilitySeconds),
        RedrivePolicy: JSON.stringify(redrive),
      });
      return { url: queueUrl, arn: arnOf(name), deadLettersUrl };
    },
    close: async () => {
      client.destroy();
      await app.close();
    },
  };
}

const arnOf = (name: string): string => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;
