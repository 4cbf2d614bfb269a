/** Routes that are no tools, and why: whatever is not here has to be one. */
const ONE_AT_A_TIME = 'A model works on one card at a time; fleets use the HTTP API or the worker runner.';
const WHOLE_BOARDS = 'Moves whole boards, for backups: the command line keeps them in files.';
const SECRETS =
  'Its answers hold or govern secrets, which a model must not be shown: people use the HTTP API or the command line.';
const ELSEWHERE = 'Sends what happens to other systems: for people to set up, over HTTP or the command line.';

export const NOT_TOOLS: Readonly<Record<string, string>> = {
  'GET /healthz': 'For machines that watch the installation.',
  'GET /v1/openapi.json': 'Describes the HTTP API.',
  'POST /v1/leases/{lease}:heartbeat': 'The same as `renew_lease`.',
  'POST /v1/leases:renew-batch': ONE_AT_A_TIME,
  'POST /v1/boards/{board}/columns/{column}:claim-batch': ONE_AT_A_TIME,
  'GET /v1/boards/{board}/export': WHOLE_BOARDS,
  'POST /v1/boards/{board}/import': WHOLE_BOARDS,
  'POST /v1/tokens': SECRETS,
  'GET /v1/tokens': SECRETS,
  'DELETE /v1/tokens/{token_id}': SECRETS,
  'POST /v1/tokens/{token_id}:rotate': SECRETS,
  'POST /v1/roles': SECRETS,
  'POST /v1/boards/{board}/webhooks': SECRETS,
  'POST /v1/boards/{board}/webhooks/{webhook}:rotate-secret': SECRETS,
  'GET /v1/boards/{board}/webhooks': ELSEWHERE,
  'GET /v1/boards/{board}/webhooks/{webhook}': ELSEWHERE,
  'PATCH /v1/boards/{board}/webhooks/{webhook}': ELSEWHERE,
  'DELETE /v1/boards/{board}/webhooks/{webhook}': ELSEWHERE,
  'POST /v1/boards/{board}/webhooks/{webhook}:test': ELSEWHERE,
  'POST /v1/boards/{board}/webhooks/{webhook}:enable': ELSEWHERE,
  'POST /v1/boards/{board}/webhooks/{webhook}:recover': ELSEWHERE,
  'GET /v1/boards/{board}/webhooks/{webhook}/deliveries': ELSEWHERE,
  'POST /v1/deliveries/{delivery}:redeliver': ELSEWHERE,
};
