/**
 * EIP-1559 transactions as go-ethereum signed them, from the tests of @ethereumjs/tx (eip1559.json), on chain 7822. There each
 * is an RLP string, as in a block; these are the bytes inside.
 */
export const vectors = [
  {
    nonce: 819n,
    units: 43_203_529n,
    gasLimit: 35_552n,
    gasTip: 75_853n,
    gasPrice: 121_212n,
    signed:
      '02f870821e8e8203338301284d8301d97c828ae094000000000000000000000000000000000000aaaa8402933bc980c080a0d067f216' +
      '7008c59219652f91cbf8788dbca5f771f6e91e2b7657e85b78b472e0a01d305af9fe81fdba43f0dfcd400ed24dcace0a7e30d4e85701' +
      'dcaaf484cd079e',
  },
  {
    nonce: 353n,
    units: 61_901_619n,
    gasLimit: 32_593n,
    gasTip: 38_850n,
    gasPrice: 136_295n,
    signed:
      '02f86f821e8e8201618297c283021467827f5194000000000000000000000000000000000000aaaa8403b08b3380c001a004205678f1' +
      '3fc1d7b10feea6513dfa76e24418b6e08097d95c6f93a3b64e536da01d45ad61bfece43862de2cce7d2575a8c1d08c26c87f3cb5f26d' +
      '7b0be54a91b2',
  },
  {
    nonce: 709n,
    units: 6_478_043n,
    gasLimit: 28_335n,
    gasTip: 86_252n,
    gasPrice: 94_636n,
    signed:
      '02f86f821e8e8202c5830150ec830171ac826eaf94000000000000000000000000000000000000aaaa8362d8db80c001a09880d133cd' +
      '636f8c8dce32e2c43494b9f2dc000eee8dc61931e09f866ed04b46a00e44d5c503c7f08b36c8b062c32a963f3dd20a71e95e3d903bfb' +
      'e7f4da47cd47',
  },
  {
    nonce: 119n,
    units: 65_456_115n,
    gasLimit: 62_341n,
    gasTip: 24_721n,
    gasPrice: 107_729n,
    signed:
      '02f86d821e8e778260918301a4d182f38594000000000000000000000000000000000000aaaa8403e6c7f380c001a0e38e239770801e' +
      'b995498c821e55ac9c19ae09184bb27b34be105e02fe3b7615a067c64ca6bd6d9107e85fd581ab2e70a14b637eb36505bb40861ef9d6' +
      'e800cab6',
  },
] as const
