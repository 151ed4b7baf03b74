// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Computes the fee for data on Ethereum (L1) as the OP stack's own GasPriceOracle does since Fjord, at constant prices.
contract DataPrice {
    uint256 constant BASE_FEE = 10_000_000_000;
    uint256 constant BASE_FEE_SCALAR = 2_269;
    uint256 constant BLOB_FEE = 1_000_000_000;
    uint256 constant BLOB_FEE_SCALAR = 1_055_762;

    function getL1FeeUpperBound(uint256 unsignedSize) external pure returns (uint256) {
        uint256 size = unsignedSize + 68;
        uint256 compressed = size + size / 255 + 16;
        uint256 estimated = 836_500 * compressed - 42_585_600;
        if (estimated < 100_000_000) estimated = 100_000_000;
        return (estimated * (16 * BASE_FEE_SCALAR * BASE_FEE + BLOB_FEE_SCALAR * BLOB_FEE)) / 1e12;
    }
}
