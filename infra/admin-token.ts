/**
 * The first admin token: nobody can call the API before there is one. Secrets Manager generates its secret part, the
 * setup function puts the hash into the table, and whoever may read the secret has the token: `lb_first_` and the
 * secret. Once others are made, revoke it over the API.
 */
import { Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

/** 43 letters and digits carry 256 bits. */
const SECRET_LENGTH = 43;

export class AdminTokenSecret extends Secret {
  constructor(scope: Construct, id: string, encryptionKey?: IKey) {
    super(scope, id, {
      description: 'First admin token of Leaseboard: lb_first_ and this text',
      generateSecretString: { passwordLength: SECRET_LENGTH, excludePunctuation: true },
      encryptionKey,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SMG4',
      reason: 'It makes the first tokens and is then revoked; tokens are rotated over the API.',
    });
  }
}
