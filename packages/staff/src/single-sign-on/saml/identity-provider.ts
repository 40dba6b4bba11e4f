import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { allNamed, childrenOf, onlyChild, parseXml, textOf } from './xml.ts';

/** A provider of SAML, as its metadata describes it. */
export interface IdentityProvider {
  readonly entityId: string;
  /** Address that the browser is sent to with a request (HTTP-Redirect binding). */
  readonly entryPoint: string;
  /** PEM of the certificates whose keys sign assertions; during a change of keys there are several. */
  readonly certificates: readonly string[];
}

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const METADATA_MAX_CHARACTERS = 200_000;
const CERTIFICATES_MAX = 5;
const RSA_BITS_MIN = 2_048;

/** The provider that metadata describes, or what the metadata lacks, as the end of a sentence about it. */
export type ReadMetadataOutcome =
  | { readonly kind: 'read'; readonly provider: IdentityProvider }
  | { readonly kind: 'refused'; readonly message: string };

/** Reads a provider's metadata as its administrator pasted it. Its own signature is not checked: who pasted it answers for it. */
export function readMetadata(text: string): ReadMetadataOutcome {
  const withoutComments = text.slice(0, METADATA_MAX_CHARACTERS + 1).replace(/<!--[\s\S]*?-->/g, '');
  const root = text.length > METADATA_MAX_CHARACTERS ? null : parseXml(withoutComments);
  if (root === null) return refused('must be the metadata of a provider, an XML document');
  const isList = root.localName === 'EntitiesDescriptor' && root.namespaceURI === METADATA;
  const entity = isList ? onlyChild(root, METADATA, 'EntityDescriptor') : root;
  const entityId = entity?.getAttribute('entityID')?.trim() ?? '';
  if (entity?.localName !== 'EntityDescriptor' || entity.namespaceURI !== METADATA || entityId === '') {
    return refused('must describe one provider, with its entity ID');
  }
  const role = onlyChild(entity, METADATA, 'IDPSSODescriptor');
  if (role === undefined) return refused('must describe a provider of sign-ins: it has no IDPSSODescriptor');
  const service = childrenOf(role, METADATA, 'SingleSignOnService').find((each) => each.getAttribute('Binding') === REDIRECT);
  const entryPoint = service?.getAttribute('Location')?.trim() ?? '';
  if (entryPoint === '') return refused('must name a sign-in address with the binding HTTP-Redirect');
  const certificates = childrenOf(role, METADATA, 'KeyDescriptor')
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => allNamed(key, 'X509Certificate'))
    .filter((each) => each.namespaceURI === SIGNATURE)
    .map((each) => toPem(textOf(each) ?? ''));
  if (certificates.length === 0) return refused('must have a certificate for signing');
  return { kind: 'read', provider: { entityId, entryPoint, certificates: [...new Set(certificates)] } };
}

function refused(message: string): ReadMetadataOutcome {
  return { kind: 'refused', message };
}

const PEM = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g;

function toPem(base64: string): string {
  const lines = base64.replace(/\s+/g, '').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** Certificates in a text, or the rule that one breaks. */
export type ReadCertificatesOutcome =
  | { readonly kind: 'read'; readonly certificates: readonly string[] }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * The certificates of a text in PEM, or of one in base64 alone. Each holds an RSA key of 2,048 bits or more, the only ones whose signatures
 * the library checks, and has not expired.
 */
export function readCertificates(text: string, now: Date): ReadCertificatesOutcome {
  const inPem = [...text.matchAll(PEM)].map(([, base64 = '']) => toPem(base64));
  const certificates = inPem.length > 0 ? [...new Set(inPem)] : [toPem(text)];
  if (certificates.length > CERTIFICATES_MAX) {
    return { kind: 'refused', message: `must be at most ${CERTIFICATES_MAX} certificates` };
  }
  for (const pem of certificates) {
    const certificate = parseCertificate(pem);
    if (certificate === null) return { kind: 'refused', message: 'must be certificates in PEM' };
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < RSA_BITS_MIN) {
      return { kind: 'refused', message: `must hold RSA keys of ${RSA_BITS_MIN} bits or more` };
    }
    if (certificate.validToDate <= now) return { kind: 'refused', message: 'must not have expired' };
  }
  return { kind: 'read', certificates };
}

function parseCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

/** SHA-256 fingerprints of the certificates of a text in PEM. */
export function fingerprintsOf(text: string): string[] {
  return [...text.matchAll(PEM)].map(([pem]) => parseCertificate(pem)?.fingerprint256 ?? '');
}

/** When the last of these certificates expires. */
export function certificatesEnd(certificates: readonly string[]): Date {
  return new Date(Math.max(...certificates.map((pem) => parseCertificate(pem)?.validToDate.getTime() ?? 0)));
}

/** A provider of SAML as its row stores it. */
export const storedSaml = z.object({
  entryPoint: z.string(),
  certificates: z.array(z.string()),
});
