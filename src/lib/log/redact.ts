const MARK = '[redacted]';
/** A shorter text can be part of a wallet's address, an id or a word by chance. */
const DISTINCT_MIN_LENGTH = 6;
/**
 * Words and numbers up to this length are found in ordinary texts: names of metrics, fields,
 * markets.
 */
const WORD_MAX_LENGTH = 15;
/**
 * Words or numbers, joined by a separator or a capital: `heartbeat`, `lastPoll`, `change-me`,
 * `2026-11-21`.
 */
const WORDS =
  /^(?:(?:[A-Z]?[a-z]+|[A-Z]+)(?:[-_. ](?:[A-Z]?[a-z]+|[A-Z]+)|[A-Z][a-z]{2,})*|\d+(?:[-_. :]\d+)*)$/;
/** Shorter ones have no base64 form that could be none but theirs. */
const BASE64_MIN_LENGTH = 8;

/**
 * Tells whether a secret's text means the secret wherever it stands. One that does not (a common
 * word, a short number) is a secret only where it stands as one: whoever uses `walletbell` as a
 * password gets readable logs all the same.
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
 * A function that replaces each secret by a mark: plain, URL-encoded, JSON-escaped or within
 * base64. Secrets that are common words or very short are replaced only where they stand as a
 * password, token or key.
 *
 * @param mark what stands in the secret's place
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
 * Finds each of the words where it stands as a password, token or key; what makes it one is the
 * first group.
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
    // An error that quotes a JSON text, in a log line that is one.
    JSON.stringify(escaped).slice(1, -1),
  ];
  if (secret.length < BASE64_MIN_LENGTH) return forms;
  return [...forms, ...base64Forms(secret)];
}

/**
 * Returns texts of which every base64 text that holds the secret has one in it, whatever stands
 * before and after the secret: base64 takes three bytes at a time, so that there are three ways to
 * cut the secret, and the characters at its ends depend on their neighbours.
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
 * Strikes out what has the form of a credential, whoever's it is: tokens of interactions and
 * webhooks in URLs, which let anybody answer in a channel, bot tokens, authorization headers, and
 * passwords in URLs. Takes linear time.
 */
export function scrubCredentials(text: string): string {
  return (
    text
      .replace(/\b(webhooks|interactions)\/(\d+)\/[\w.~%-]+/g, `$1/$2/${MARK}`)
      .replace(/\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}/g, MARK)
      .replace(/\b(Bearer|Basic|Bot)\s+(?=[^\s"\\]*(?:\d|\.\w|=))[\w.~+/-]{8,}=*/gi, `$1 ${MARK}`)
      // Not the program's own help, which names what belongs there.
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

/**
 * Makes a line fit to be written: without these secrets, nor anything else that has the form of a
 * credential.
 */
export function createLineRedactor(secrets: readonly string[]): (line: string) => string {
  const redact = createRedactor(secrets);
  return (line) => scrubCredentials(redact(line));
}
