/** Where the files of attachments lie: reached by signed addresses only, and by nobody over plain HTTP. */
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { BucketAction } from '../functions/manifest.ts';

/** Parts of an upload that was never finished; nobody goes on with one after a day. */
const UNFINISHED = Duration.days(1);
/** How long a browser remembers that it may upload. */
const PREFLIGHT_SECONDS = 3_600;

export interface AttachmentBucketProps {
  /** What becomes of the files when the stack goes. DESTROY empties the bucket first, or it could not be deleted. */
  readonly removalPolicy: RemovalPolicy;
  /** Origins whose pages may move files by the addresses that they were given; any, for an empty list. */
  readonly corsAllowOrigins: readonly string[];
  readonly encryptionKey?: IKey | undefined;
}

export class AttachmentBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, props: AttachmentBucketProps) {
    super(scope, id);
    const { removalPolicy, corsAllowOrigins, encryptionKey } = props;
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      ...(encryptionKey === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }),
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy,
      autoDeleteObjects: removalPolicy === RemovalPolicy.DESTROY,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: UNFINISHED }],
      // The signature is what permits it, not where it comes from: the deployed board's own origin is not known here.
      cors: [corsRule(corsAllowOrigins.length === 0 ? ['*'] : corsAllowOrigins)],
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions::AwsSolutions-S1',
      reason:
        'Who attached and removed what is in the events of its card; access logs would be a second bucket.',
    });
  }

  /** Address that the functions sign for. */
  get url(): string {
    return `https://${this.bucket.bucketRegionalDomainName}`;
  }

  /** Gives a function's role the actions that its row of the manifest lists. */
  grant(role: Role, actions: readonly BucketAction[]): void {
    const onFiles = actions.filter((action) => action !== 'ListBucket');
    if (actions.includes('ListBucket')) this.allow(role, ['ListBucket'], this.bucket.bucketArn);
    if (onFiles.length === 0) return;
    this.allow(role, onFiles, this.bucket.arnForObjects('*'));
    const id = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as never);
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::<${id}.Arn>/*]`,
      reason: 'A file is named by its board, card and attachment; the bucket holds nothing else.',
    });
  }

  private allow(role: Role, actions: readonly BucketAction[], resource: string): void {
    role.addToPrincipalPolicy(
      new PolicyStatement({ actions: actions.map((action) => `s3:${action}`), resources: [resource] }),
    );
  }
}

function corsRule(allowedOrigins: readonly string[]) {
  return {
    allowedMethods: [HttpMethods.GET, HttpMethods.PUT],
    allowedOrigins: [...allowedOrigins],
    allowedHeaders: ['content-type'],
    maxAge: PREFLIGHT_SECONDS,
  };
}
