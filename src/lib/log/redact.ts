const MARK = '[redacted]';
/**
 * Minimum length of a distinct secret. A shorter text can be part of an address, an id or a word by
 * chance.
 */
const DISTINCT_MIN_LENGTH = 6;
/**
 * Length up to which words and numbers occur in ordinary texts: names of metrics, fields, markets.
 */
const WORD_MAX_LENGTH = 15;
/**
 * Words or numbers, joined by a separator or a capital: `heartbeat`, `lastPoll`, `change-me`,
 * `2026-11-21`.
 */
const WORDS =
  /^(?:(?:[A-Z]?[a-z]+|[A-Z]+)(?:[-_. ](?:[A-Z]?[a-z]+|[A-Z]+)|[A-Z][a-z]{2,})*|\d+(?:[-_. :]\d+)*)$/;
/** Minimum length of a secret whose base64 form is unique. */
const BASE64_MIN_LENGTH = 8;

/**
 * Whether a secret's text is always the secret, wherever it occurs. Otherwise (a common word, a
 * short number) it is redacted only in the place of a credential, so that logs stay readable if the
 * password is `walletbell`.
 */
export function isDistinct(secret: string): boolean {
  if (secret.length < DISTINCT_MIN_LENGTH) return false;
  return secret.length > WORD_MAX_LENGTH || !WORDS.test(secret);
}

/**
 * Patterns of the text before a password, token or key: in a URL's userinfo, after its name, or in
 * an authorization header.
 */
const BEFORE_CREDENTIAL = [
  /:\/\/[^\s/:@"'\\]{0,256}:/,
  /\b(?:pass(?:word|wd|phrase)?|pwd|token|secret|api[_-]?key|authorization)["'\\]{0,3}\s?[=:]\s?["'\\]{0,3}(?:(?:Bearer|Basic|Bot) )?/,
  /\b(?:Bearer|Basic|Bot) /,
  /\bpassword ["'\\]{1,3}/,
]
  .map(({ source }) => source)
  .join('|');

/**
 * Creates a function that replaces each secret by a mark: plain, URL-encoded, JSON-escaped or
 * within base64. Secrets that are common words or very short are replaced only in the place of a
 * password, token or key.
 *
 * @param mark replacement for the secret
 */
export function createRedactor(secrets: readonly string[], mark = MARK): (text: string) => string {
  const forms = secrets.filter(isDistinct).flatMap(formsOf);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const words = [
    ...new Set(secrets.filter((secret) => secret !== '' && !isDistinct(secret)).flatMap(formsOf)),
  ];
  const asCredential = credentialPattern(words);
  return (text) => {
    const redacted = longestFirst.reduce((shown, form) => shown.replaceAll(form, mark), text);
    if (words.length === 0) return redacted;
    return redacted.replace(asCredential, `$1${mark}`);
  };
}

/**
 * Matches each of the words in the place of a password, token or key; the first group is the text
 * before it.
 */
export function credentialPattern(words: readonly string[]): RegExp {
  const texts = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) =>
      word.replace(
        /[^\w]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    );
  return new RegExp(`(${BEFORE_CREDENTIAL})(?:${texts.join('|')})(?![A-Za-z0-9])`, 'gi');
}

function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    encoded,
    encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    escaped,
    // For an error that quotes a JSON text in a log line.
    JSON.stringify(escaped).slice(1, -1),
  ];
  if (secret.length < BASE64_MIN_LENGTH) return forms;
  return [...forms, ...base64Forms(secret)];
}

/**
 * Returns texts one of which occurs in every base64 text that contains the secret, whatever
 * surrounds it. Base64 encodes three bytes at a time, so there are three alignments, and the
 * characters at the secret's ends depend on its neighbors.
 */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor((bytes.length * 8) / 6);
    const text = bytes.toString('base64').slice(first, last);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/**
 * Redacts everything in the form of a credential: tokens of interactions and webhooks in URLs, with
 * which anybody could reply in a channel, bot tokens, authorization headers, and passwords in URLs.
 * Takes linear time.
 */
export function scrubCredentials(text: string): string {
  return (
    text
      .replace(/\b(webhooks|interactions)\/(\d+)\/[\w.~%-]+/g, `$1/$2/${MARK}`)
      .replace(/\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}/g, MARK)
      .replace(/\b(Bearer|Basic|Bot)\s+(?=[^\s"\\]*(?:\d|\.\w|=))[\w.~+/-]{8,}=*/gi, `$1 ${MARK}`)
      // Except the placeholder in the program's own help.
      .replace(/:\/\/(?!(?:USER)?:PASSWORD@)[^\s/"'@:\\]*:[^\s/"'@\\]+@/g, `://${MARK}@`)
      .replace(
        /("(?:token|authorization|password|api_?key|secret)":")(?:[^"\\]|\\.)*"/gi,
        `$1${MARK}"`,
      )
      .replace(
        /(\\"(?:token|authorization|password|api_?key|secret)\\":\\")[^"\\]*\\"/gi,
        `$1${MARK}\\"`,
      )
  );
}

/** Redacts a log line: these secrets and everything else in the form of a credential. */
export function createLineRedactor(secrets: readonly string[]): (line: string) => string {
  const redact = createRedactor(secrets);
  return (line) => scrubCredentials(redact(line));
}
