/** What to do after a refusal, in the tools' own names: a model that is only told what was wrong tries it again. */
import type { ProblemCode } from '../../shared/errors.ts';

const LOOK_UP = 'Look the id up: list_boards, get_board for columns, list_cards for cards.';
const AGAIN = 'Wait retry_after_seconds, then repeat the same call.';
const NOT_YOURS = 'Do not repeat it. Tell the person you work for what is missing.';

export const NEXT_STEPS: Readonly<Record<ProblemCode, string>> = {
  lease_lost:
    'Stop working on this card: it is no longer yours, and nothing you send for it will be taken. Call claim_next_card for another.',
  lease_held:
    'Leave it to its holder and call claim_next_card for another card; list_leases shows who holds what.',
  parents_open:
    'Your lease stays. Wait until the parents are done and complete again, or release_lease; get_card shows each parent.',
  not_claimable: 'get_card shows what it waits for. Call claim_next_card for one that can be had.',
  contract_disabled: 'get_board shows the columns with queue: true; claim from one of these.',
  conflict: 'Look at what is there now (get_card, get_board) and decide anew.',
  output_invalid:
    'Your lease stays. Correct output as errors say, with get_column_contract for the schema, and call complete_lease again.',
  artifact_missing: 'Your lease stays. Attach what is missing or correct the names, and call again.',
  validation_failed: 'Correct the arguments that errors name and call the tool again.',
  invalid_contract: 'Nothing has changed. Correct what errors name and send the whole contract again.',
  schema_too_expensive: 'Make the schema simpler: fewer alternatives and references, plainer patterns.',
  not_found: LOOK_UP,
  invalid_cursor: 'Call again without cursor, and take next_cursor as it is given.',
  stale_revision: 'get_card, apply your change to what it is now, and call again with the new rev.',
  idempotency_key_reused:
    'To resume the first call repeat it with exactly its arguments; for a new call choose a new key.',
  idempotency_in_progress: AGAIN,
  throttled: AGAIN,
  rate_limited: AGAIN,
  quota_exceeded: NOT_YOURS,
  forbidden: NOT_YOURS,
  unauthenticated: NOT_YOURS,
  payload_too_large: 'Send less: large things are attachments of the card.',
  malformed_json: 'Send the arguments as one JSON object.',
  method_not_allowed: NOT_YOURS,
  unsupported_media_type: NOT_YOURS,
  internal: 'Repeat the call once; if it fails again, tell the person you work for.',
};
