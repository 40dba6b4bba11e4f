declare module 'mt940js' {
  interface Transaction {
    readonly date: Date;
    readonly entryDate?: Date;
    readonly amount: number;
    readonly currency: string;
    readonly details: string;
    readonly reference: string;
    readonly bankReference: string;
    readonly extraDetails: string;
  }
  interface Statement {
    readonly accountIdentification: string;
    readonly transactions: readonly Transaction[];
  }
  const mt940: { readonly Parser: new () => { parse(text: string): readonly Statement[] } };
  export default mt940;
}
