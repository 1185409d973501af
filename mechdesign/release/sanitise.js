// A privacy mechanism with exact probabilities, as one ES module without dependencies.
//
//   import { sanitise, MECHANISM } from "./this-file.js";
//   const released = sanitise("yes");              // all profiles have the same table
//   const released = sanitise("yes", "engineer");  // each profile has its own
//
// Release one output for each value and keep it: sanitising the same value again and again tells more of it each time.
// The mechanism itself stands below the code, as integers.

/** A profile, a category or an output: text, an integer, or a list of these.
 * @typedef {string | number | readonly Label[]} Label */

/** What this mechanism is. `epsilon` and `delta` are the largest of any edge, as its maker noted (exact numbers as text,
 * or null); which privacy holds on which graph is proved by `mechdesign certify`, for the mechanism that has this
 * digest. Where edges have distances, and nothing else of their own, `epsilonPerDistance` is not null: it and `epsilon`
 * are then for each `unit` of these.
 * @typedef {object} About
 * @property {string} digest the SHA-256 of the mechanism's file
 * @property {string | null} epsilon
 * @property {string | null} delta
 * @property {string | null} epsilonPerDistance
 * @property {string | null} unit
 * @property {string} madeBy
 * @property {readonly Label[]} profiles
 * @property {readonly Label[]} categories
 * @property {readonly Label[]} outputs */

/**
 * Return an output drawn with exactly the mechanism's probabilities, from the platform's cryptographic generator.
 *
 * @param {Label} value one of MECHANISM.categories
 * @param {Label} [profile] one of MECHANISM.profiles; may be left out where all have the same table
 * @returns {Label} one of MECHANISM.outputs
 * @throws {RangeError} if the value or the profile is unknown; the message, which may be logged, does not repeat it
 */
export function sanitise(value, profile) {
  const x = place(categories, value, "value", "categories");
  const one = INDEX.length === 1; // one table for all
  const i = one && profile === undefined ? 0 : place(profiles, profile, "profile", "profiles");
  return MECHANISM.outputs[drawn(sums[INDEX[one ? 0 : i][x]])];
}

/**
 * Return y with probability weight y / total: the number of thresholds T_j = (sum of the first j weights) / total that
 * are <= U, for a uniform U in [0, 1) whose bits are drawn as they are needed, the most significant ones first.
 *
 * @param {readonly bigint[]} ofFirst the sums of the first 1, 2, ... weights
 * @returns {number}
 */
function drawn(ofFirst) {
  const total = ofFirst[ofFirst.length - 1];
  let u = 0n; // U lies in [u, u + 1) / 2^bits
  let bits = 0n;
  for (const bytes of inTurn()) {
    u = (u << BigInt(8 * bytes)) | fresh(bytes);
    bits += BigInt(8 * bytes);
    const y = ofFirst.findIndex((sum) => sum << bits > u * total); // T_y is the first threshold above u / 2^bits
    if (ofFirst[y] << bits >= (u + 1n) * total) return y; // no threshold lies strictly inside
  }
  throw new Error("unreachable");
}

/** Yield how many bytes are drawn at a time: 16 bits decide nearly always.
 * @returns {Generator<number, void>} */
function* inTurn() {
  yield 2;
  yield 6;
  while (true) yield 8;
}

/** Return so many random bytes as one integer, the first byte most significant.
 * @param {number} bytes
 * @returns {bigint} */
function fresh(bytes) {
  let number = 0n;
  for (const byte of globalThis.crypto.getRandomValues(new Uint8Array(bytes))) number = (number << 8n) | BigInt(byte);
  return number;
}

/** Return the place of a label, compared as JSON: 1 is not "1".
 * @param {Map<string, number>} places
 * @param {unknown} label
 * @param {string} what
 * @param {string} known
 * @returns {number} */
function place(places, label, what, known) {
  const found = places.get(JSON.stringify(label));
  if (found === undefined) {
    const numbers = typeof label === "string" && !isNaN(Number(label)) && places.has(label) ? ", which are numbers, not text" : "";
    throw new RangeError(`unknown ${what}: expected one of the ${places.size} in MECHANISM.${known}${numbers}`);
  }
  return found;
}

/** @param {readonly Label[]} labels
 * @returns {Map<string, number>} */
function placesOf(labels) {
  return new Map(labels.map((label, position) => [JSON.stringify(label), position]));
}

/** @param {Label} label
 * @returns {Label} */
function frozen(label) {
  if (Array.isArray(label)) Object.freeze(label).forEach(frozen);
  return label;
}

// The mechanism.
//
// ABOUT says what it is. INDEX[i][x] is the row of WEIGHTS that serves profile i at category x (its only list serves
// all profiles); output y is drawn with probability WEIGHTS[row][y] / (the sum of that row).

/* mechanism */

/** @type {Readonly<About>} */
export const MECHANISM = Object.freeze(ABOUT);
[MECHANISM.profiles, MECHANISM.categories, MECHANISM.outputs].forEach(frozen);

const profiles = placesOf(MECHANISM.profiles);
const categories = placesOf(MECHANISM.categories);
const sums = WEIGHTS.map((weights) => {
  let sum = 0n;
  return weights.map((weight) => (sum += weight));
});
