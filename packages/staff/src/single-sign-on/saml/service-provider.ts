/** Path under the sign-in library's that providers of SAML post their answers to: one for all, so that it is known before one is added. */
export const SAML_ANSWER_PATH = '/sso/saml2/sp/acs';
/** Path under the sign-in library's of our metadata. Its address is our entity id. */
export const SAML_METADATA_PATH = '/sso/saml2/sp/metadata';

/** Our own side of SAML, as providers know it. */
export interface ServiceProvider {
  /** Our entity id, the audience of assertions for us: the address of our metadata. */
  readonly entityId: string;
  /** Address that answers are posted to: their destination, and the recipient of assertions for us. */
  readonly answerUrl: string;
}

/** Our side, for the address under which the sign-in library answers: `https://pay.example.com/api/auth`. */
export function serviceProviderAt(authUrl: string): ServiceProvider {
  return { entityId: `${authUrl}${SAML_METADATA_PATH}`, answerUrl: `${authUrl}${SAML_ANSWER_PATH}` };
}

/** Our metadata (SAML 2.0 Metadata, 2.4.4): assertions must be signed; which name identifies a person is the provider's choice. */
export function serviceProviderMetadata({ entityId, answerUrl }: ServiceProvider): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escapeXml(entityId)}">`,
    '<SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">',
    '<NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified</NameIDFormat>',
    `<AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escapeXml(answerUrl)}"/>`,
    '</SPSSODescriptor>',
    '</EntityDescriptor>',
  ].join('\n');
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
