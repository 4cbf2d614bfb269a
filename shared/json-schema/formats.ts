/**
 * The values of `format` that are checked, each in linear time. A schema that names another is refused when it is
 * written, since a check that silently does not happen is worse than none.
 */
import { isIPv4, isIPv6 } from 'node:net';

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/u.exec(text);
  const [year, month, day] = (match?.slice(1) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) {
    return false;
  }
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const last = month === 2 && !leap ? 28 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= last;
}

/** RFC 3339 `full-time`. A leap second is allowed where one can be: at 23:59:60 UTC. */
function isTime(text: string): boolean {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/u.exec(text);
  if (match === null) {
    return false;
  }
  const [hour = 0, minute = 0, second = 0] = match.slice(1, 4).map(Number);
  const [offsetHour, offsetMinute] = match.slice(5, 7).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 60 || (offsetHour ?? 0) > 23 || (offsetMinute ?? 0) > 59) {
    return false;
  }
  const offset = ((offsetHour ?? 0) * 60 + (offsetMinute ?? 0)) * (match[4] === '-' ? -1 : 1);
  const utcMinute = (hour * 60 + minute - offset + 2 * 1_440) % 1_440;
  return second < 60 || utcMinute === 1_439;
}

function isDateTime(text: string): boolean {
  return /^.{10}[tT]/u.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

const DURATION =
  /^P(?:\d+W|(?=[\dT])(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/u;

// No `i` flag below: with `u` it also lets through letters that only fold to ASCII, like the Kelvin sign.
const LABEL = /^[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?$/u;

/** ASCII names. What an `xn--` label decodes to is not looked at. */
function isHostname(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => LABEL.test(label));
}

/** A dot-atom at a host name: the addresses that people have. Quoted names and IP literals are refused. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const name = text.slice(0, Math.max(at, 0));
  return (
    name.length <= 64 &&
    name.split('.').every((atom) => /^[\w!#$%&'*+/=?^`{|}~-]+$/u.test(atom)) &&
    isHostname(text.slice(at + 1))
  );
}

function isPlainIPv6(text: string): boolean {
  return isIPv6(text) && !text.includes('%');
}

/** RFC 3986: split at its delimiters, each part then a plain set of characters. */
const URI_PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/su;
const URI_SCHEME = /^[A-Za-z][A-Za-z\d+.-]*$/u;
const URI_AUTHORITY =
  /^(?:(?:[\w.~!$&'()*+,;=:-]|%[\dA-Fa-f]{2})*@)?(?:\[([\dA-Fa-f:.]+)\]|\[v[\dA-Fa-f]+\.[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)(?::\d*)?$/u;
const URI_TEXT = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[\dA-Fa-f]{2})*$/u;

function isAuthority(text: string): boolean {
  const match = URI_AUTHORITY.exec(text);
  return match !== null && (match[1] === undefined || isPlainIPv6(match[1]));
}

function isUriReference(text: string): boolean {
  const [, scheme, authority, ...texts] = URI_PARTS.exec(text) ?? [];
  return (
    (scheme === undefined || URI_SCHEME.test(scheme)) &&
    (authority === undefined || isAuthority(authority)) &&
    texts.length > 0 &&
    texts.every((part: string | undefined) => URI_TEXT.test(part ?? ''))
  );
}

export const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date-time', isDateTime],
  ['date', isDate],
  ['time', isTime],
  ['duration', (text: string) => DURATION.test(text)],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIPv4],
  ['ipv6', isPlainIPv6],
  ['uri', (text: string) => /^[A-Za-z][A-Za-z\d+.-]*:/u.test(text) && isUriReference(text)],
  ['uri-reference', isUriReference],
  ['uuid', (text: string) => /^[\dA-Fa-f]{8}-(?:[\dA-Fa-f]{4}-){3}[\dA-Fa-f]{12}$/u.test(text)],
  ['json-pointer', (text: string) => /^(?:\/(?:[^~/]|~[01])*)*$/su.test(text)],
]);
