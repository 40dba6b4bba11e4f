/** The bank account that a transfer came from, as its gateway names it. */
export interface TransferPayer {
  readonly bank: string | null;
  readonly name: string | null;
  readonly accountEnd: string | null;
}

/** `Ada Obi, A Bank, account ending 1070`; a bank's code is called one. */
export function describePayer({ bank, name, accountEnd }: TransferPayer): string {
  const words = [
    name,
    bank !== null && /^\d+$/.test(bank) ? `bank code ${bank}` : bank,
    accountEnd === null ? null : `account ending ${accountEnd}`,
  ];
  return words.filter((word) => word !== null).join(', ');
}
