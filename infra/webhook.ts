/** A webhook as code. Its signing secret is kept in Secrets Manager, for the receiver to read. */
import { SecretValue, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret, type ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Board } from './board.ts';
import type { EventType } from './event-type.ts';
import type { Setup } from './setup.ts';

export interface WebhookProps {
  readonly board: Board;
  /** A public address, over HTTPS. */
  readonly url: string;
  /**
   * Types of events that it gets.
   * @default - all
   */
  readonly types?: readonly EventType[];
}

export class Webhook extends Construct {
  /** `whsec_...`, by which the receiver knows that an event is ours. */
  readonly secret: ISecret;

  constructor(scope: Construct, id: string, setup: Setup, props: WebhookProps, encryptionKey?: IKey) {
    super(scope, id);
    const { board, url, types } = props;
    const resource = setup.apply(this, 'Resource', 'webhook', {
      board: board.boardId,
      url,
      types: types?.map(({ name }) => name) ?? null,
      description: `As code: ${this.node.path}`,
    });
    resource.node.addDependency(board.resource);
    this.secret = new Secret(this, 'Secret', {
      description: `Signs the webhook ${this.node.path} of Leaseboard`,
      secretStringValue: SecretValue.resourceAttribute(resource.getAttString('Secret')),
      encryptionKey,
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SMG4',
      reason: 'It is rotated over the API, which gives the receiver time: both secrets sign meanwhile.',
    });
  }
}
