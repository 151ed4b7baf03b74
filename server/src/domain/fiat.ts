/**
 * Active national currencies of ISO 4217 by number of minor digits. Funds codes (CLF, UYW), metals (XAU), test codes
 * (XTS) and withdrawn codes (HRK, BGN, ANG, CUC, SLL, ZWL) are left out: no merchant prices an invoice in them.
 * `Intl` is no substitute: it uses CLDR's digits, which are 0 for PKR, COP and others that have 2 in ISO 4217.
 */
const codesByMinorDigits: ReadonlyMap<number, string> = new Map([
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP
     CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES
     KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
     NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
     TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
])

const minorDigitsByCode: ReadonlyMap<string, number> = new Map(
  [...codesByMinorDigits].flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, digits]),
  ),
)

/** Every active ISO 4217 currency code, in alphabetical order. */
export const fiatCodes: readonly string[] = [...minorDigitsByCode.keys()].sort()

/** The currency's minor digits by ISO 4217 (USD 2, JPY 0, KWD 3), or null when the code is not an active currency. */
export function fiatMinorDigits(code: string): number | null {
  return minorDigitsByCode.get(code) ?? null
}
