export { openTestProvider, type ProviderAccount, type TamperedToken, type TestProvider } from './test-provider.ts';
export { openTestSamlProvider, type SamlForm, type TamperedResponse, type TestSamlProvider } from './test-saml-provider.ts';
