// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "./plain-token.sol";

/// Pays many recipients in one transaction, in ETH or tokens.
contract BatchSender {
    function sendNative(address payable[] calldata to, uint256[] calldata values) external payable {
        for (uint256 at = 0; at < to.length; at++) {
            (bool sent, ) = to[at].call{value: values[at]}("");
            require(sent, "a receiver refused");
        }
    }

    function sendTokens(PlainToken token, address[] calldata to, uint256[] calldata values) external {
        for (uint256 at = 0; at < to.length; at++) token.transferFrom(msg.sender, to[at], values[at]);
    }
}
