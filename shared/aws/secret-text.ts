/** The text of a secret in Secrets Manager. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

export async function fetchSecretText(secretId: string): Promise<string> {
  const { SecretString } = await new SecretsManagerClient({}).send(
    new GetSecretValueCommand({ SecretId: secretId }),
  );
  if (SecretString === undefined) throw new Error('The secret holds no text.');
  return SecretString;
}
