import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { expect, onTestFinished, test } from 'vitest';
import { startSecretsEndpoint } from '../../local/secrets-endpoint.ts';

async function startClient() {
  const endpoint = await startSecretsEndpoint('lease-key', '{"current":"k1"}', () => undefined);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new SecretsManagerClient({ endpoint: endpoint.url, region: 'us-east-1', credentials });
  onTestFinished(async () => {
    client.destroy();
    await endpoint.close();
  });
  return client;
}

test('the SDK reads the secret', async () => {
  const client = await startClient();
  const answer = await client.send(new GetSecretValueCommand({ SecretId: 'lease-key' }));
  expect(answer).toMatchObject({ Name: 'lease-key', SecretString: '{"current":"k1"}' });
});

test('another secret is not found', async () => {
  const client = await startClient();
  const answer = client.send(new GetSecretValueCommand({ SecretId: 'other' }));
  await expect(answer).rejects.toThrow(ResourceNotFoundException);
});

test('another operation is refused by name', async () => {
  const client = await startClient();
  const answer = client.send(new DescribeSecretCommand({ SecretId: 'lease-key' }));
  await expect(answer).rejects.toThrow('Only GetSecretValue');
});
