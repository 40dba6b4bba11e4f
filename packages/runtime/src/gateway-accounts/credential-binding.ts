/** Binds sealed credentials to the account's row: copied to another row, they do not open. */
export function credentialBinding(account: { merchantId: string; id: string }): string {
  return `${account.merchantId}/${account.id}`;
}
