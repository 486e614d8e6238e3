import { findDateOrder } from '../../engine/analysis/find-dates.ts'
import { listCurrencies } from './find-money.ts'
import { findDecimalMark } from './find-numbers.ts'
import type { Conventions } from './value.ts'

/** Signs of a country that writes the month first: mainly the United States (Unicode CLDR). */
const MONTH_FIRST = /\bU\.?S\.?A?\b\.?|United States|\b[A-Z]{2} \d{5}(?:-\d{4})?\b|US\$|(?<![A-Z])\$\d/
const DAY_FIRST = new RegExp(
  String.raw`[£€]|United Kingdom|\bUK\b|England|Scotland|Ireland|Australia|New Zealand|South Africa|India|` +
    String.raw`\b(?:GBP|EUR|AUD|NZD|ZAR|INR)\b`,
  '',
)
const DOLLARS = ['AUD', 'CAD', 'NZD', 'HKD', 'SGD', 'USD']
const YEN = /\bJPY\b|\d\s?円|日[元圆圓円]/
/** Currency of `kr` by language (ISO 639-1). Norwegian has a code for each written form. */
const KRONER: Readonly<Record<string, string>> = { sv: 'SEK', no: 'NOK', nb: 'NOK', nn: 'NOK', da: 'DKK', is: 'ISK' }
/** Traditional characters in bills of Taiwan and Hong Kong, where `元` is another currency. */
const TRADITIONAL = /[額總價號幣單買賣計]/
const NAMED_LIRA = /\bTRY\b|₺|\blira/i
const NAMED_YUAN = /\b(?:CNY|RMB)\b|人民[币幣]/
/** Languages with a decimal point (Unicode CLDR); all others use a comma. */
const POINT_LANGUAGES: ReadonlySet<string> = new Set(['en', 'zh', 'ja', 'ko', 'th', 'he', 'hi', 'ms', 'tl', 'ur', 'ga'])

/**
 * Infers how a document writes ambiguous values. Evidence in order: its own values (`03/14/2026`,
 * `8.450,00`), the country implied by words and currencies, the language (ISO 639-1). Default: day
 * before month.
 */
export function readConventions(
  text: string,
  language: string | null,
  languages: readonly string[] = language === null ? [] : [language],
): Conventions {
  const isEnglish = language === null || language === 'en'
  const looksAmerican = isEnglish && MONTH_FIRST.test(text) && !DAY_FIRST.test(text)
  const dollar = DOLLARS.find((code) => new RegExp(`\\b${code}\\b`).test(text)) ?? 'USD'
  const shared = {
    ...{ dollar, yen: findYen(text, language), krone: findKrone(text, language) },
    ...{ lira: findLira(text, language), yuan: findYuan(text) },
  }
  const currencies = listCurrencies(text, shared)
  return {
    dateOrder: findDateOrder(text) ?? (looksAmerican ? 'mdy' : 'dmy'),
    decimalMark: findDecimalMark(text) ?? (POINT_LANGUAGES.has(language ?? 'en') ? '.' : ','),
    ...shared,
    languages,
    currency: currencies.length === 1 ? (currencies[0] ?? null) : null,
  }
}

function findYen(text: string, language: string | null): string {
  const isYuan = language === 'zh' || NAMED_YUAN.test(text) || /\d\s?元/.test(text)
  return isYuan && !YEN.test(text) ? 'CNY' : 'JPY'
}

function findKrone(text: string, language: string | null): string | null {
  const named = [...new Set(Object.values(KRONER))].filter((code) => new RegExp(`\\b${code}\\b`).test(text))
  return named.length === 1 ? (named[0] ?? null) : (KRONER[language ?? ''] ?? null)
}

function findLira(text: string, language: string | null): string | null {
  return language === 'tr' || NAMED_LIRA.test(text) ? 'TRY' : null
}

function findYuan(text: string): string | null {
  return NAMED_YUAN.test(text) || !TRADITIONAL.test(text) ? 'CNY' : null
}
